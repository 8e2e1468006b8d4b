import type { AppInputs, AppOutputs } from '@papermoon/contract/router'

export type NetWorth = AppOutputs['portfolio']['netWorth']
export type History = AppOutputs['portfolio']['history']
export type HistoryTimeframe = NonNullable<AppInputs['portfolio']['history']['timeframe']>
