import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root } from './project.mjs'

/** Platforms for which the install brings a Node of its own; elsewhere the system's must run TypeScript. */
const bringsNode = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
const versionMin = bringsNode ? [20, 0] : [22, 18]

/** Ends with a plain sentence when this Node is too old for what follows. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [majorMin, minorMin] = versionMin
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return
  fail(`Papermoon needs Node ${versionMin.join('.')} or newer here; this is Node ${process.versions.node}.`)
}

/** The Node that runs the product: the installed one where there is one, else the one we run on. */
export function productNode() {
  const installed = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  return existsSync(installed) ? installed : process.execPath
}
