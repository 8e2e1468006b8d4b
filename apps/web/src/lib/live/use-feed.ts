import { useEffect, useEffectEvent } from 'react'
import { type Feed, follow } from './follow.ts'

/**
 * Follows a feed while the component is mounted. If `key` changes, another feed begins. If `key` is null, no feed runs.
 */
export function useFeed<Data>(key: string | number | null, feed: Feed<Data>): void {
  const read = useEffectEvent(() => feed)
  useEffect(() => {
    if (key === null) return
    return follow<Data>({
      ...read(),
      onData: (data) => read().onData(data),
      onBegin: () => read().onBegin?.(),
    })
  }, [key])
}
