import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root } from './project.mjs'

/** Whether the install contains a Node. If it contains none, the system's Node must support TypeScript. */
const bringsNode = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
const versionMin = bringsNode ? [20, 0] : [22, 18]

/** Exits with a plain message if this Node is too old. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [majorMin, minorMin] = versionMin
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return
  fail(`Papermoon needs Node ${versionMin.join('.')} or newer here; this is Node ${process.versions.node}.`)
}

/** Returns the path of the Node that runs the product: the installed one if there is one, otherwise the current one. */
export function productNode() {
  const installed = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  return existsSync(installed) ? installed : process.execPath
}
