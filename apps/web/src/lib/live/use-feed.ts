import { useEffect, useEffectEvent } from 'react'
import { type Feed, follow } from './follow.ts'

/** Follows a feed while the component is mounted. Another `key` begins another feed, and null none. */
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
