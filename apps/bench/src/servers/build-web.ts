import { execFileSync } from 'node:child_process'
import { ROOT } from '../paths.ts'

/** Builds the web app where that has not been done, so that the server has what a player loads. */
export function buildWeb(): void {
  const args = ['run', 'build', '--filter=@papermoon/web', '--output-logs=errors-only']
  execFileSync('turbo', args, { cwd: ROOT, stdio: 'inherit' })
}
