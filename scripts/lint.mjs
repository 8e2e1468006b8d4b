import { runTool } from './lib/run-tool.mjs'

/** Format, lint rules, import boundaries, and what is exported or installed and not used. */
await runTool('turbo', ['run', 'lint:code', 'lint:unused', '--continue=always', '--output-logs=errors-only'])
