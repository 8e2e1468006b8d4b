import { runProduct } from './lib/run-product.mjs'

await runProduct('packages/deploy/src/main.ts')
