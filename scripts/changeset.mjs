import { join } from 'node:path'
import { root } from './lib/project.mjs'
import { runTool } from './lib/run-tool.mjs'

/** Asks what a change means for users of Papermoon, and writes the answer to .changeset/. */
await runTool(join(root, 'scripts', 'node_modules', '.bin', 'changeset'), [])
