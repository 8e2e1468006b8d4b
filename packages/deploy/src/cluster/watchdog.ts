import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { makeFolder } from '../templates/write-files.ts'

/**
 * Ends every process of the folder however this process ends, even by kill -9: a shell reads a pipe from it, which closes
 * then. Returns how to call it off.
 */
export function startWatchdog(folder: string, namespaces: readonly string[], bridge: string): () => void {
  const script = `cat
for file in "$1"/pids/*; do kill -KILL "$(cat "$file")"; done
for file in "$1"/*/data/postmaster.pid; do kill -QUIT "$(head -n 1 "$file")"; done
shift
bridge=$1; shift
for namespace; do ip netns del "$namespace"; done
[ -z "$bridge" ] || ip link del "$bridge"`
  const watchdog = spawn('/bin/sh', ['-c', script, 'sh', folder, bridge, ...namespaces], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog.unref()
  const { stdin } = watchdog
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  return () => watchdog.kill('SIGKILL')
}

/** Makes the folders `log` and `pids` of services, and starts the watchdog over them. Returns how to call it off. */
export function guardFolder(folder: string): () => void {
  for (const name of ['log', 'pids']) makeFolder(join(folder, name), null)
  return startWatchdog(folder, [], '')
}
