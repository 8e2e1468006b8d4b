import { runTool } from './lib/run-tool.mjs'

/** `npm run examples`: runs the code blocks of the guide at /developers that are marked `run`, against a real server. */
await runTool('turbo', ['run', 'examples', '--output-logs=new-only'])
