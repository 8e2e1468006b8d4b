import { runTool } from './lib/run-tool.mjs'

/** `npm run generators`: generates clients from the OpenAPI document and trades with them on a real server. */
await runTool('turbo', ['run', 'generators', '--output-logs=new-only'])
