import fc from 'fast-check'
import { chooseSeed } from './seed.mjs'

/** The set-up file of every package with property tests. All of them use the seed in TEST_SEED, see CONTRIBUTING.md. */
fc.configureGlobal({ seed: chooseSeed(process.env.TEST_SEED) })
