import { install } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { isWebBuilt, startWebBuild } from './lib/web-build.mjs'

/** `npm run build`: installs and builds, so that a service can start without a build. */
requireNode()
await install({ isForProduct: true })
const { code, output } = isWebBuilt() ? { code: 0, output: '' } : await startWebBuild().done
if (code !== 0) {
  process.stderr.write(`${output}\nThe build failed; see its output above.\n`)
  process.exit(1)
}
