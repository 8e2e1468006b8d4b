import fc from 'fast-check'
import { chooseSeed } from './seed.mjs'

/** Set-up file of every package with property tests: all of them take the seed of TEST_SEED, see CONTRIBUTING.md. */
fc.configureGlobal({ seed: chooseSeed(process.env.TEST_SEED) })
