import { install } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { finish, runTests } from './lib/run-tests.mjs'

requireNode()
await install()
finish(await runTests())
