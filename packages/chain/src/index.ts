export { entryText, launchText, sealText } from './chain-text.ts'
export type { ChainEntry, ChainLaunch, ChainRug, ChainSeal, ChainTrade } from './entries.ts'
export { type ChainPosition, findBreak, type HashedEntry, type Sha256 } from './find-break.ts'
export { headLine, type PublishedHead, publicationStart } from './publication-text.ts'
