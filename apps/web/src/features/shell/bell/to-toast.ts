import { toNoticeText } from '@papermoon/format/notice-text'
import type { Notice } from '../../../lib/api/api.ts'
import type { Toast } from '../../../lib/ui/toasts.ts'

/**
 * Combines several notifications into one toast. The toast says how many there are, unless one of them is about a rug
 * pull of a token that the player holds, or exactly one is about an order of the player.
 */
export function toToast(notices: readonly Notice[]): Toast {
  const rug = notices.find(({ kind }) => kind === 'rug')
  const orders = notices.filter(({ kind }) => kind === 'order')
  const urgent = rug ?? (orders.length === 1 ? orders[0] : undefined)
  const first = urgent ?? notices[0]
  if (first === undefined || (notices.length > 1 && urgent === undefined)) {
    return {
      title: `${notices.length} new notifications`,
      message: 'Open the notifications to read them.',
      kind: 'news',
    }
  }
  const { title, body, path } = toNoticeText(first)
  const hasPage =
    first.kind === 'sticker' ||
    first.kind === 'follower' ||
    ('post' in first &&
      (first.post !== null ||
        first.fair !== null ||
        first.rematchId !== null ||
        first.quest !== null ||
        first.windowEnd !== null))
  if (hasPage) return { title, message: body, kind: 'news', link: { label: 'Open', path } }
  if (rug === undefined) return { title, message: body, kind: 'news' }
  return { title, message: body, kind: 'loss', link: { label: 'See what happened', path } }
}
