import { runTool } from './lib/run-tool.mjs'

await runTool('turbo', ['run', 'types', '--continue=always', '--output-logs=errors-only'])
