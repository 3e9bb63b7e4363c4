"""The default model: model.onnx, tokenizer.json, config.json, meta.json."""
