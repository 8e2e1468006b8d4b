import { runProduct } from './lib/run-product.mjs'

await runProduct('apps/bots/src/load.ts')
