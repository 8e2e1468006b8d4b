import { provideRedis } from './lib/programs/redis.mjs'
import { runTool } from './lib/run-tool.mjs'

/** `npm run chaos:short`: the faults of `npm run chaos` that load the machine most, in little, and long runs of some tests. */
await provideRedis()
await runTool('turbo', ['run', 'chaos', '--concurrency=1', '--continue=always', '--output-logs=new-only'])
