import { install } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { provideRedis } from './lib/programs/redis.mjs'
import { run } from './lib/run.mjs'
import { runPlaywright } from './lib/run-playwright.mjs'

/**
 * `npm run chaos:short`: the tests that start, kill, fill or flood servers, one after another, and long runs of some others;
 * then those of pages whose server goes away.
 */
requireNode()
await install()
await provideRedis()
const args = ['run', 'chaos', '--concurrency=1', '--continue=always', '--output-logs=new-only']
const servers = await run('turbo', [...args, ...process.argv.slice(2)])
process.exit(Math.max(servers.code, await runPlaywright('chaos.config.ts', [])))
