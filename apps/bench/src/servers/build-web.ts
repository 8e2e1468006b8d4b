import { execFileSync } from 'node:child_process'
import { ROOT } from '../paths.ts'

/** Builds the web app if needed, so that the server can serve it. */
export function buildWeb(): void {
  const args = ['run', 'build', '--filter=@papermoon/web', '--output-logs=errors-only']
  execFileSync('turbo', args, { cwd: ROOT, stdio: 'inherit' })
}
