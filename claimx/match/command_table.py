"""What commands do: which families of deeds, of which things, told by a pattern. The one table of runners, checkers and builders.

The first part is looked for anywhere in a text, whatever shell or language it is written in; the second, of which most rows
name a command at its beginning, in one command at a time.
"""

from __future__ import annotations

import re

from claimx.match.nouns import fold_noun
from claimx.match.programs import WRITES

#: What was done: families with their nouns.
Deeds = tuple[tuple[str, frozenset[str]], ...]
#: Stands among the nouns of a deed that changes these things, and no others: a build makes a bundle and no page.
ONLY = "-"
_OF_ITS_OWN = frozenset("create update delete add set save rollback schedule move submit import".split())

_ANYWHERE = tuple(
    (re.compile(p, re.I), f, frozenset(map(fold_noun, n.split())))
    for p, f, n in (
        (r"\b(?:pytest|unittest|jest|vitest|mocha|tox|nox|rspec|phpunit|ctest|go test|cargo (?:nextest|test)|(?:npm|yarn|pnpm|bun) (?:run )?test\S*|mvn\S* test|gradle\w* test|make (?:test|check)|manage\.py test)\b", "run", "test"),
        (r"\b(?:ruff|eslint|flake8|pylint|black|prettier|mypy|tsc|clippy|golangci-lint|npm run (?:lint|typecheck))\b", "run", "lint linter check type format formatter"),
        (r"\b(?:ruff format|black|prettier|gofmt|goimports|rustfmt|cargo fmt|clang-format|isort|autopep8|terraform fmt|(?:npm|yarn|pnpm|bun) run format|eslint[^&|;]*--fix|ruff check[^&|;]*--fix)\b", "format", "code file import style lint"),
        (r"\b(?:npm|yarn|pnpm|bun) (?:run )?build|\bmake\b|cargo build|go build|mvn\S* package|gradle\w* build|docker build|\btsc\b", "run", "build compile"),
        (r"\bgit\b[^&|;]*\bcommit\b", "commit", "commit change"),
        (r"\bgit\b[^&|;]*\bpush\b", "push", "push branch change commit"),
        (r"\bgit\b[^&|;]*\bmerge\b|\b(?:gh pr|glab mr|tea pr) merge\b", "merge", "branch pull_request"),
        (r"\bgit\b[^&|;]*\b(?:checkout -b|switch -c|branch (?![-\s])\S)", "create", "branch"),
        (r"\bgit tag (?!-l|--list|-d)\S|\bgh release create\b", "add", "tag release version"),
        (r"\bgit tag (?!-l|--list|-d)\S|\bgh release create\b", "create", "tag release version"),
        (r"\bgit tag -d\b|\bgit branch -[dD]\b", "delete", "tag branch"),
        (r"\bgit clone\b|\bgh repo clone\b", "copy", "repo code"),
        (r"\bgit (?:clone|pull|fetch)\b|\bcurl\b[^&|;]* -\w*[oO]|\bwget\b|\baws s3 (?:cp|sync) s3:|\bgh repo clone\b", "download", "file repo data change"),
        (r"\bgit\b[^&|;]*\b(?:revert|reset|restore)\b|rollback|\bundo\b", "rollback", "commit change deployment"),
        (r"\b(?:gh pr|glab mr|tea pr|az repos pr) (?:create|new)\b|\bhub pull-request\b|\bmerge_request\.create\b", "create", "pull_request"),
        (r"\bgh issue create\b", "create", "ticket"),
        (r"\b(?:pip3?|uv|npm|yarn|pnpm|poetry|apt(?:-get)?|brew|cargo|gem|go|conda) (?:\S+ )?(?:install|add|get|sync)\b|\bnpm (?:i|ci)\b", "install", "package dependency"),
        (r"\b(?:kubectl (?:apply|create|set|rollout restart)|helm (?:install|upgrade)|terraform apply|vercel|netlify|fly(?:ctl)? deploy|docker (?:push|compose up)|serverless deploy|\bdeploy\b)", "deploy", "deployment"),
        (r"\b(?:npm|yarn|pnpm|bun|cargo|poetry|uv|flit|hatch|mvn\S*|gradle\w*|vsce)\b[^&|;\n]*\bpublish\b|\btwine upload\b|\bgem push\b|\bgh release (?:create|upload)\b|\bdocker push\b|\b(?:aws s3|gsutil)\b[^&|;\n]*\b(?:cp|mv|sync|rsync) [^&|;\n]*\b(?:s3|gs)://\S+\s*$", "upload", "package release image version file"),
        (r"\b(?:systemctl|service|supervisorctl|pm2|docker|kubectl)\b[^&|;]*\brestart\b", "restart", "service server container deployment"),
        (r"\b(?:systemctl|service|supervisorctl|pm2|docker|podman)\b[^&|;]*\b(?:stop|kill|down|disable)\b|(?:^|[;&|]\s*|sudo )(?:kill|pkill|killall)\b|--replicas[= ]0\b", "disable", "service server container process deployment"),
        (r"\b(?:systemctl|service|supervisorctl|pm2|docker|podman)\b[^&|;]*\b(?:start|up|run|enable)\b|\b(?:npm|yarn|pnpm|bun) (?:start|dev|serve|preview|run (?:dev|start|serve|preview))\b|\b(?:uvicorn|gunicorn|hypercorn|flask run|rails s(?:erver)?|http\.server|manage\.py runserver)\b", "enable", "service server container process app application"),
        (r"\b(?:pg_dump(?:all)?|mysqldump|mongodump|restic backup|borg create|sqlite3\b[^;&|]*\.backup)\b|\b(?:cp|tar|zip|rsync)\b[^;&|]*(?:\.bak|backup)", "copy", "backup database file"),
        (r"\bdrop_duplicates\b|\bdedup\w*|\bdropna\b|\.drop\(", "delete", "duplicate record row"),
        (r"\b(?:rm|rmdir|unlink|del|DROP|DELETE|TRUNCATE)\b", "delete", "file row table record"),
        (r"\b(?:mkdir|touch|tee|cp)\b|(?<![-=2&])>>?\s*(?!/dev|&|/tmp)[\w./$~\"'{]|\bcat\s*<<|INSERT\s+INTO|CREATE\s+(?:TABLE|INDEX|VIEW)|open\([^)]*['\"][wa]", "create", "file row record table folder"),
        (WRITES, "save", "file row record table chart plot graph figure image report data result model output"),
        (r"\bsed\s+-i|\bUPDATE\s+\S+\s+SET|ALTER\s+TABLE|\bpatch\b|\bmv\b", "update", "file row record table"),
        (r"\bREINDEX\b|\bOPTIMIZE\s+TABLE\b", "create", "index table"),
        (r"\bREINDEX\b|\bREFRESH\s+MATERIALIZED\s+VIEW\b|\bVACUUM\b|\bOPTIMIZE\s+TABLE\b", "update", "index view table database"),
        (r"\b(?:migrate|alembic|prisma|flyway)\b", "update", "migration database schema"),
        (r"\bmigrate\b|\balembic (?:upgrade|downgrade)\b|\bflyway migrate\b", "run", "migration"),
        (r"\b(?:sed\s+-n|awk|wc|nl|jq|which|stat|tree|grep|rg|find|ls|cat|head|tail|less|git (?:log|status|diff|show|blame)|curl|wget|ps|df|du|top)\b|\bSELECT\b", "get", "file log row record status result"),
        (r"\b(?:docker|podman) (?:ps|images|logs|inspect)\b|\bkubectl (?:get|describe|logs|top|rollout (?:history|status))\b|\b(?:pip3?|npm|yarn|pnpm|brew) (?:list|ls|show|view|freeze|outdated)\b|\b(?:gh|glab) \w+ (?:list|view|status|checks|diff)\b|\b(?:terraform|tofu|pulumi) (?:plan|preview|show|validate|output)\b|\bhelm (?:lint|template|list|status|diff)\b|\bkubectl diff\b", "get", "status log package container pull_request ticket version"),
        (r"\b(?:ssh|scp|rsync)\b", "upload", "file"),
        (r"\bpython3?\b|\bnode\b|(?:^|[;&|\n])\s*\.{0,2}/\S+|\bbash \S+\.sh", "run", "script program code"),
    )
)  # fmt: skip
_OF_ONE_COMMAND = tuple(
    (re.compile(p), f, frozenset(map(fold_noun, n.split())) | ({ONLY} if f in _OF_ITS_OWN else frozenset()))
    for p, families, n in (
        (r"^(?:playwright|deno|mix|swift|flutter|dart|dotnet|bazel\w*|sbt|lein|zig|nx|turbo|lerna|just|task|invoke|rake|rails|hatch|ng|xcodebuild|react-scripts|"
         r"hardhat|forge|cabal|stack|pants|dune|buck2?|meson|molecule|artisan|php|npm|yarn|pnpm|bun|make|gradlew?|mvnw?|detox|maestro|storybook)\b[^&|;\n]*?[\s:](?:t|tests?|specs?|e2e)\b"
         r"|^(?:cypress|newman|k6) run\b|^(?:bats|behave|robot|pest|busted|ava|wdio|testcafe|nightwatch|nosetests|prove|karma|nose2|Invoke-Pester)\b|^node --test\b",
         "run", "test suite spec"),
        (r"^(?:biome|stylelint|shellcheck|hadolint|yamllint|markdownlint\S*|ansible-lint|tflint|tfsec|rubocop|standardrb|swiftlint|ktlint|detekt|pyright|"
         r"basedpyright|pyre|pytype|vue-tsc|svelte-check|oxlint|djlint|phpstan|psalm|phpcs|credo|sqlfluff|vulture|bandit|semgrep|vale|staticcheck|"
         r"clang-tidy|cppcheck|pre-commit|actionlint|xo|cargo (?:check|deny|audit)|go vet|(?:deno|next|ng|nx|buf|turbo) (?:lint|check)|(?:dart|flutter) analyze)\b",
         "run", "lint linter check type checker format hook"),
        (r"^(?:biome (?:format|check)[^&|;]*--(?:write|fix)|(?:rubocop|stylelint|swiftlint|ktlint)\b[^&|;]*(?:-[aA]\b|--fix|--autocorrect|-F\b)|(?:deno|mix|dart) (?:fmt|format))",
         "format update", "code file import style lint"),
        (r"^(?:isort|black|prettier|gofmt|goimports|rustfmt|autopep8|clang-format|ruff|eslint)\b", "update", "code file import style lint format"),
        (r"^(?:vite|webpack|rollup|esbuild|parcel|next|nuxt|astro|jekyll|mkdocs|sphinx-build|dotnet|swift|cmake|ninja|bazel|xcodebuild|flutter|ng|nx|turbo|"
         r"tsup|zig|poetry|uv|hatch|podman|buildah|docker|npm|yarn|pnpm|bun|cargo|go|make|gradlew?|mvnw?)\b[^&|;\n]*\b(?:build|compile|assemble|package|buildx)\b"
         r"|^(?:hugo|build|javac|gcc|g\+\+|clang|rustc|pyinstaller|sphinx-build|ninja|tsc|tsup|make)\b",
         "run create", "build compile app application project site image docs package wheel binary bundle"),
        (r"^(?:composer|bundle|dnf|yum|apk|zypper|port|choco|winget|scoop|snap|pipx|flatpak|asdf|nvm|rbenv|pyenv|rustup|mise|volta|pod|flutter pub|mix deps|dotnet)\b[^&|;\n]*[\s.](?:install|add|require|get|restore)\b|^go mod (?:tidy|download)|^pacman -S",
         "install", "package dependency"),
        (r"^(?:npm|yarn|pnpm|uv|poetry|cargo|bundle|pip-compile|composer)\b[^&|;\n]*\b(?:i|ci|lock|generate-lockfile|install|update|upgrade|add|relock|sync|compile)\b", "create update", "lockfile package dependency"),
        (r"^(?:alembic (?:upgrade|downgrade)|prisma (?:migrate|db push)|flyway|liquibase|knex migrate|drizzle-kit|goose|dbmate|atlas|diesel migration|sqlx migrate|supabase db push|migrate)\b"
         r"|\b(?:db:migrate|ecto\.migrate|migration:run|ef database update|(?:artisan|manage\.py) migrate)\b",
         "run submit update", "migration schema database table"),
        (r"^(?:chmod|chown|chgrp|setfacl|icacls)\b", "update set", "permission file mode owner script"),
        (r"^(?:ffmpeg|convert|mogrify|magick|pandoc|sox|cwebp|svgo|optipng|pngquant|soffice)\b", "update create", "file image video audio document picture"),
        (r"^(?:zip|gzip|7z|xz|zstd|bzip2|tar -?[a-z]*c)\b", "update create", "archive file folder"),
        (r"^git (?:checkout|switch)\b", "move", "branch"),
        (r"^git (?:checkout (?:--|\.|-f|HEAD)|restore|clean|reset)(?=\s|$)", "delete rollback", "change"),
        (r"^git (?:pull|rebase)\b", "merge update", "branch change commit main"),
        (r"^(?:venv|virtualenv|conda create|uv venv)\b", "create", "environment venv"),
        (r"^redis-cli\b[^&|;\n]*\b(?:FLUSH(?:ALL|DB)|DEL|UNLINK|flush(?:all|db)|del)\b", "delete", "cache key database"),
        (r"^aws s3(?:api)? (?:rb|rm)\b|^gsutil (?:rb|rm)\b", "delete", "bucket file object"),
        (r"^aws s3 mb\b|^gsutil mb\b", "create", "bucket"),
        (r"^crontab\b(?! -l)", "add create update delete schedule", "cron job schedule"),
        (r"^(?:gh pr|glab mr) (?:review\b[^&|;\n]*--approve|approve)\b", "approve", "pull_request"),
        (r"^(?:gh|glab) (?:pr|mr|issue) (?:comment|note)\b|^(?:gh|glab)\b[^&|;\n]*\s--?(?:body|comment|b)\b", "comment add", "comment pull_request ticket"),
        (r"^(?:wrk|ab|hey|hyperfine|locust|vegeta|autocannon)\b", "run", "benchmark load test endpoint"),
        (r"^(?:pulumi up|wrangler (?:publish|deploy)|tofu apply|skaffold run|nomad job run|ansible-playbook|railway up|argocd app sync)\b", "deploy submit", "deployment stack service worker change"),
        (r"^(?:systemctl|service|supervisorctl|pm2)\b[^&|;\n]*\b(?:status|is-active|is-enabled|show|list\S*|ls|logs)\b", "get", "status service log"),
        (r"^certbot\b", "renew create", "certificate"),
        (r"^(?:fuser -k|taskkill|xkill)\b", "disable delete", "process port"),
        (r"^(?:gpg|age|sops)\b", "encrypt sign update", "file secret"),
        (r"^(?:psql|mysql|sqlite3|mariadb|pg_restore|mongorestore|mongoimport)\b[^&|;\n]*(?:restore|import)", "import save create update rollback", "database data table row record"),
    )
    for f in families.split()
)  # fmt: skip


def told_anywhere(text: str) -> Deeds:
    """What a text does, by what stands anywhere in it.

    >>> told_anywhere("git push origin main")[0][0]
    'push'
    """
    return tuple((f, nouns) for pattern, f, nouns in _ANYWHERE if pattern.search(text))


def told_of_one(command: str) -> Deeds:
    """What one command does, without what stands before it.

    >>> sorted(told_of_one("playwright test")[0][1])
    ['spec', 'test']
    """
    return tuple((f, nouns) for pattern, f, nouns in _OF_ONE_COMMAND if pattern.search(command))
