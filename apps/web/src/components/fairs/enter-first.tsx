import type { Fair } from '../../lib/api/api.ts'
import { EnterButton } from './enter-button.tsx'

/** Replaces a trade panel if the player must first enter the token's fair, or if the fair has ended. */
export function EnterFirst({ fair }: { fair: Fair | undefined }) {
  if (fair === undefined) return null
  const isOver = fair.state === 'settled' || fair.state === 'void'
  return (
    <div className="stack gap-m p-l">
      <p>
        {isOver
          ? `${fair.name} has ended. Nobody can trade here any more.`
          : `Enter this fair to trade. Everyone starts with ${fair.stake} SOL that counts only in this fair.`}
      </p>
      {!isOver && <EnterButton fair={fair} isHere />}
    </div>
  )
}
