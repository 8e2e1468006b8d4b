import { join } from 'node:path'
import { workspacePackages } from '../project.mjs'
import { run } from '../run.mjs'
import { addFailure, clearResults, countResults } from './results.mjs'

/**
 * Tests whose outcome depends on the machine and the user: they start servers and programs, mount disks or change
 * users. File names by package; an empty list means all of the package's tests.
 */
export const machineTests = {
  '@papermoon/scripts': [],
  '@papermoon/db': [],
  '@papermoon/api': [
    'test/audit/audit-schedule.test.ts',
    'test/config/compose.test.ts',
    'test/backup/place.test.ts',
    'test/http/observability.test.ts',
    'test/http/process.test.ts',
    'test/events/redis-relay.test.ts',
    'test/security/shared-limits.test.ts',
    'test/uploads/uploads-files.test.ts',
  ],
  '@papermoon/bench': ['test/baseline.test.ts'],
  '@papermoon/client': ['test/client.test.ts'],
  '@papermoon/mcp': ['test/mcp.test.ts'],
}

/** Runs them without installing programs they lack, and returns `{ passed, failed, skipped }`. */
export async function runMachineTests() {
  const packages = workspacePackages().filter(({ manifest }) => machineTests[manifest.name])
  clearResults(packages)
  const codes = []
  for (const { folder, manifest } of packages) {
    process.stdout.write(`\n— ${manifest.name}\n`)
    const vitest = join(folder, 'node_modules', '.bin', 'vitest')
    const { code } = await run(vitest, ['run', ...machineTests[manifest.name]], { cwd: folder })
    codes.push(code)
  }
  const total = countResults(packages)
  if (total.failed === 0 && codes.some((code) => code !== 0)) {
    return addFailure(total, 'A test run ended with an error though no test failed.')
  }
  return total
}
