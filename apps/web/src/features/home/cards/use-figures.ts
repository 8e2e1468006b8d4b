import { useCallback, useSyncExternalStore } from 'react'
import type { TokenId } from '../../../lib/api/api.ts'
import { type CardFigures, figuresStore } from './figures-store.ts'

/** Holders and price line of a token; undefined until they are read. They are read again while the card is mounted. */
export function useFigures(id: TokenId): CardFigures | undefined {
  const watch = useCallback((listener: () => void) => figuresStore.watch(id, listener), [id])
  return useSyncExternalStore(watch, () => figuresStore.get(id))
}
