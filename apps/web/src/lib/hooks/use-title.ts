import { useEffect } from 'react'

/** Names the browser tab after what it shows. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Papermoon' : `${title} · Papermoon`
  }, [title])
}
