import { join } from 'node:path'
import { root } from './lib/project.mjs'
import { runTool } from './lib/run-tool.mjs'

/** Asks what a change means for those who use Papermoon, and writes it to .changeset/. */
await runTool(join(root, 'scripts', 'node_modules', '.bin', 'changeset'), [])
