import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { prepareBinaries } from '../src/embedded/binaries.ts'
import { findChildUser } from '../src/embedded/child-user.ts'
import { ensureSharedFolder } from '../src/embedded/shared-folder.ts'
import { needs } from '../src/testing.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'

/** Copies the installed package without symlinks, as if install scripts were disabled. */
function packageWithoutLinks(folder: string): string {
  const installed = dirname(dirname(dirname(prepareBinaries(undefined, folder).postgres)))
  const copy = join(folder, 'package')
  mkdirSync(copy)
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true })
  for (const { target } of JSON.parse(readFileSync(join(copy, 'native', 'pg-symlinks.json'), 'utf8'))) {
    rmSync(join(copy, target))
  }
  return copy
}

describe('the shared folder', needs('root', process.getuid?.() === 0), () => {
  it('is used only if it belongs to root and is not a link', () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o755)
    const [foreign, link, own] = ['foreign', 'link', 'own'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    mkdirSync(foreign)
    chownSync(foreign, 65_534, 65_534)
    symlinkSync(foreign, link)
    const anybody = { uid: 65_534, gid: 65_534 }
    expect(ensureSharedFolder(anybody, [foreign, link, own])).toBe(own)
    expect(() => ensureSharedFolder(anybody, [foreign, link])).toThrow('or is root’s')
  })
})

describe('prepareBinaries', () => {
  it('creates the symlinks that a postinstall script would create', () => {
    const folder = temporaryFolder()
    const { postgres } = prepareBinaries(undefined, folder, packageWithoutLinks(folder))
    expect(postgres).toBe(join(folder, 'package', 'native', 'bin', 'postgres'))
    expect(execFileSync(postgres, ['--version'], { encoding: 'utf8' })).toContain('PostgreSQL')
  })

  const user = findChildUser()
  // Only root runs PostgreSQL as another user, and that user may lack access.
  it(
    'copies the programs once to a folder where PostgreSQL’s user can run them',
    needs('root', user !== undefined),
    () => {
      const folder = temporaryFolder()
      const closed = packageWithoutLinks(folder)
      const version = `0.0.0-test-${process.pid}`
      writeFileSync(join(closed, 'package.json'), JSON.stringify({ version }))
      chmodSync(folder, 0o700)
      const { postgres } = prepareBinaries(user, folder, closed)
      onTestFinished(() => rmSync(dirname(dirname(dirname(postgres))), { recursive: true }))
      expect(postgres).toContain(version)
      const options = { ...user, cwd: '/', encoding: 'utf8' } as const
      expect(execFileSync(postgres, ['--version'], options)).toContain('PostgreSQL')
      rmSync(closed, { recursive: true })
      mkdirSync(closed)
      writeFileSync(join(closed, 'package.json'), JSON.stringify({ version }))
      expect(existsSync(prepareBinaries(user, folder, packageLike(closed)).postgres)).toBe(true)
    },
  )
})

/** Creates the minimal package that prepareBinaries accepts. */
function packageLike(folder: string): string {
  for (const path of ['native/bin', 'native/lib', 'native/share']) mkdirSync(join(folder, path), { recursive: true })
  return folder
}
