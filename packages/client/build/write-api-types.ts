import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { API } from 'typescript/unstable/sync'
import { readProcedures } from './read-procedures.ts'
import { renderApiTypes } from './render-api-types.ts'

/** Writes `dist/api-types.d.ts`: the contract's types without an import, in place of `src/api-types.ts`. */
const folder = fileURLToPath(new URL('..', import.meta.url))
const compiler = new API({ cwd: folder })
try {
  const [project] = compiler.updateSnapshot({ openProjects: [`${folder}tsconfig.json`] }).getProjects()
  if (project === undefined) throw new Error('There is no project here.')
  writeFileSync(`${folder}dist/api-types.d.ts`, renderApiTypes(readProcedures(project, `${folder}src/api-types.ts`)))
} finally {
  compiler.close()
}
