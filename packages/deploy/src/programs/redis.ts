import { requireProgram } from './programs.ts'
import { type Service, startService } from './service.ts'
import { isListening, untilUp } from './until-up.ts'

/** Starts a Redis on the loopback address that writes nothing to disk. Resolves once it listens. `folder` has `log` and `pids`. */
export async function startRedis(folder: string, port: number): Promise<Service> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const command = requireProgram('redis-server')
  const redis = await startService({ name: 'redis', command, args, folder, user: null, namespace: null })
  await untilUp(redis, () => isListening(port))
  return redis
}
