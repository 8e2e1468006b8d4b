import { provideRedis } from './lib/programs/redis.mjs'
import { provideReplication } from './lib/programs/replication.mjs'
import { runTool } from './lib/run-tool.mjs'

/** `npm run chaos:short`: the faults of `npm run chaos` that load the machine most, in little, and long runs of some tests. */
await provideRedis()
const missing = await provideReplication()
if (missing.length > 0) {
  process.stdout.write(`Faults of a replicated PostgreSQL are skipped: there is no ${missing.join(', ')} (Debian).\n`)
}
await runTool('turbo', ['run', 'chaos', '--output-logs=new-only'])
