import { runTool } from './lib/run-tool.mjs'

/** Checks format, lint rules, import boundaries, and unused exports and dependencies. */
await runTool('turbo', ['run', 'lint:code', 'lint:unused', '--continue=always', '--output-logs=errors-only'])
