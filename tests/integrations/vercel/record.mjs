// Records what the npm package `ai` writes with its own mock model: `npm install ai zod && node record.mjs`.
// model-messages.json: the messages of generateText; ui-messages.json: those that a chat's page keeps.
import { writeFileSync } from 'node:fs';
import { generateText, streamText, readUIMessageStream, stepCountIs, tool } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { z } from 'zod';

const tools = {
  issueRefund: tool({
    description: 'Refund an order.',
    inputSchema: z.object({ orderId: z.string(), amount: z.number() }),
    execute: async ({ orderId, amount }) => ({ orderId, amount, status: 'succeeded' }),
  }),
  sendEmail: tool({
    description: 'Send an e-mail.',
    inputSchema: z.object({ to: z.string() }),
    execute: async () => {
      throw new Error('SMTP connection refused');
    },
  }),
};
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const steps = [
  [
    { type: 'text', text: 'I will refund it.' },
    { type: 'tool-call', toolCallId: 'call_1', toolName: 'issueRefund', input: '{"orderId":"HB-20417","amount":64}' },
    { type: 'tool-call', toolCallId: 'call_2', toolName: 'sendEmail', input: '{"to":"dana@example.com"}' },
  ],
  [{ type: 'text', text: "I've refunded $64 for order HB-20417 and sent an email to dana@example.com." }],
];

function model() {
  let step = 0;
  const next = () => steps[Math.min(step++, steps.length - 1)];
  const reason = content => ({ unified: content.some(c => c.type === 'tool-call') ? 'tool-calls' : 'stop', raw: undefined });
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const content = next();
      return { content, finishReason: reason(content), usage, warnings: [] };
    },
    doStream: async () => {
      const content = next();
      const parts = content.flatMap((c, i) =>
        c.type === 'text'
          ? [{ type: 'text-start', id: `t${i}` }, { type: 'text-delta', id: `t${i}`, delta: c.text }, { type: 'text-end', id: `t${i}` }]
          : [c],
      );
      const chunks = [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason: reason(content), usage }];
      return { stream: simulateReadableStream({ chunks }) };
    },
  });
}

const prompt = [{ role: 'user', content: 'Refund order HB-20417 and mail me' }];
const options = { tools, messages: prompt, stopWhen: stepCountIs(5) };
const done = await generateText({ model: model(), ...options });
write('model-messages.json', [...prompt, ...done.response.messages]);

const asked = { id: 'u1', role: 'user', parts: [{ type: 'text', text: prompt[0].content }] };
const stream = streamText({ model: model(), ...options }).toUIMessageStream({ onError: e => String(e?.message ?? e), generateMessageId: () => 'a1' });
let last;
for await (const message of readUIMessageStream({ stream })) last = message;
write('ui-messages.json', [asked, last]);

function write(name, data) {
  writeFileSync(new URL(name, import.meta.url), JSON.stringify(data, null, 2) + '\n');
}
