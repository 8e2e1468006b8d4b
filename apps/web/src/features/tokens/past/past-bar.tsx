import { Link } from '@tanstack/react-router'
import type { Dispatch } from 'react'
import { Segmented } from '../../../components/form/segmented.tsx'
import type { TokenId } from '../../../lib/api/api.ts'
import { formatMoment } from '../../../lib/format/moment-text.ts'
import classes from './past-bar.module.css'
import { isAtEnd, nameEvent, type Player, type PlayerAction, SPEEDS, type Speed } from './player.ts'
import type { View } from './use-past.ts'

const SPEED_OPTIONS = SPEEDS.map((speed) => ({ value: String(speed), label: `${speed}×` }))

interface PastBarProps {
  readonly id: TokenId
  readonly player: Player
  readonly dispatch: Dispatch<PlayerAction>
  readonly view: View
  readonly isBehind: boolean
  /** Whether the last event is a rug pull that can be played in slow motion. */
  readonly canPlayRug: boolean
}

/** Says which event is on the screen, with controls that move through the token's history. */
export function PastBar({ id, player, dispatch, view, isBehind, canPlayRug }: PastBarProps) {
  const { seq, lastSeq, isPlaying, speed } = player
  const time = isBehind ? '…' : formatMoment(view.time)
  const event = nameEvent(seq, !isBehind && view.token.ruggedAt !== null)
  const last = Math.max(lastSeq ?? 0, seq)
  return (
    <section
      className={`p-m-l round-m on-raised grid middle sticky gap-wide phone-gap-s high-shadow ${classes.bar}`}
      aria-label="Time machine"
    >
      <p className={`fit phone-s tight ${classes.where}`}>
        You see the token at <strong className="nowrap">{time}</strong>, <span className="nowrap">after {event}</span>
      </p>
      <Link
        className={`control px-m phone-s round bold bare nowrap inline-row on-moon ${classes.now}`}
        to="/token/$id"
        params={{ id: String(id) }}
        search={{}}
      >
        Return to the present
      </Link>
      <input
        className={`full fit pointer ${classes.slider}`}
        type="range"
        min={0}
        max={last}
        value={seq}
        aria-label="Point in time"
        aria-valuetext={`${time}, after ${event}`}
        onChange={({ target }) => dispatch({ type: 'seek', seq: Number(target.value) })}
      />
      <div className={`row stretch gap-s ${classes.keys}`}>
        <Key label="Previous event" isOff={seq === 0} onPress={() => dispatch({ type: 'step', by: -1 })}>
          ◂
        </Key>
        <button
          type="button"
          className={`px-m on-surface ${classes.key} ${classes.play} pill`}
          onClick={() => dispatch({ type: isPlaying ? 'pause' : 'play' })}
        >
          {isPlaying ? 'Pause' : 'Play'}
          {!isPlaying && isAtEnd(player) && <span className="phone-unseen"> from the launch</span>}
        </button>
        <Key label="Next event" isOff={isAtEnd(player)} onPress={() => dispatch({ type: 'step', by: 1 })}>
          ▸
        </Key>
      </div>
      <div className={`flex ${classes.speeds}`}>
        {canPlayRug ? (
          <button
            type="button"
            className={`px-m on-surface ${classes.key} ${classes.rug} pill`}
            onClick={() => dispatch({ type: 'playRug' })}
          >
            Watch the rug pull in slow motion
          </button>
        ) : (
          <Segmented
            label="Playback speed"
            options={SPEED_OPTIONS}
            value={String(speed)}
            onChange={(value) => dispatch({ type: 'speed', speed: Number(value) as Speed })}
          />
        )}
      </div>
    </section>
  )
}

interface KeyProps {
  readonly label: string
  readonly isOff: boolean
  readonly onPress: () => void
  readonly children: string
}

function Key({ label, isOff, onPress, children }: KeyProps) {
  return (
    <button
      type="button"
      className={`pill px-m on-surface ${isOff ? 'dim' : ''} ${classes.key}`}
      aria-label={label}
      // Use `aria-disabled`, because `disabled` would take the focus away from the button.
      aria-disabled={isOff || undefined}
      onClick={isOff ? undefined : onPress}
    >
      <span aria-hidden="true">{children}</span>
    </button>
  )
}
