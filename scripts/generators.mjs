import { runTool } from './lib/run-tool.mjs'

/** `npm run generators`: the Python client, and clients generated from the OpenAPI document, trade on a real server. */
await runTool('turbo', ['run', 'generators', '--output-logs=new-only'])
