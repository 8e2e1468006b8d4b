import type { AppOutputs, PapermoonClient } from '@papermoon/client'

/** A token as lists and pages show it. */
export type Token = AppOutputs['tokens']['get']

type Handlers = Parameters<PapermoonClient['api']['live']['market']['subscribe']>[1]

/** A launch, a trade or a rug pull. */
export type MarketEvent = Parameters<NonNullable<Handlers['onData']>>[0]['data']
