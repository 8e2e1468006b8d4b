import { Button } from '../../components/form/button.tsx'
import { Checks, Option, Options } from '../../components/form/option.tsx'
import { Segmented } from '../../components/form/segmented.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { type DisabledMotions, type Motion, setDisabledMotions, useDisabledMotions } from '../../lib/ui/motion.ts'
import { chooseSound, playRug, type SoundChoice, useSound } from '../../lib/ui/sound.ts'

const MOTIONS = [
  { id: 'flash', title: 'Price flashes', note: 'A price lights up softly when it changes' },
  { id: 'tape', title: 'Moving trades', note: 'The latest trades slide across the home page' },
  { id: 'stagger', title: 'Card animation', note: 'Cards appear one after another when a list opens' },
  { id: 'stars', title: 'Paper stars', note: 'Small stars burst when an order is filled' },
  { id: 'shake', title: 'Rug pull shake', note: 'The page shakes when a rug is pulled while you watch' },
] as const satisfies readonly { id: Motion; title: string; note: string }[]

const CHOICES = [
  { value: 'device', label: 'Same as my device' },
  { value: 'none', label: 'None' },
] as const

export function SoundAndMotion() {
  return (
    <Panel title="Sound and motion">
      <Motions />
      <Sounds />
    </Panel>
  )
}

function Motions() {
  const disabled = useDisabledMotions()
  const change = (word: Motion | 'all', isDisabled: boolean) => {
    const next = new Set<DisabledMotions extends ReadonlySet<infer Word> ? Word : never>(disabled)
    if (isDisabled) next.add(word)
    else next.delete(word)
    setDisabledMotions(next)
  }
  const isAllDisabled = disabled.has('all')
  return (
    <>
      <div className="row gap-wide wrap between semibold">
        <span>Motion</span>
        <Segmented
          label="Motion"
          options={CHOICES}
          value={isAllDisabled ? 'none' : 'device'}
          onChange={(choice) => change('all', choice === 'none')}
        />
      </div>
      <Checks
        legend="Animations"
        choices={MOTIONS}
        isOn={(motion) => !(isAllDisabled || disabled.has(motion))}
        isDisabled={isAllDisabled}
        onChange={(motion, isOn) => change(motion, !isOn)}
      />
      <p className="small">If your device asks for reduced motion, all animations are off.</p>
    </>
  )
}

function Sounds() {
  const sound = useSound()
  const change = (part: Partial<SoundChoice>) => chooseSound({ ...sound, ...part })
  return (
    <Options legend="Sound">
      <Option
        type="checkbox"
        title="Play a sound when a rug is pulled"
        note="You also hear a tick when your order is filled, and a drum when a large holder sells a token you hold. Phones vibrate briefly."
        isOn={sound.isOn}
        onChange={(isOn) => change({ isOn })}
      />
      <div className="row gap-wide wrap between semibold">
        <label className="row gap-m touch grow-wrap">
          Volume
          <input
            type="range"
            className="grow"
            min={5}
            max={100}
            step={5}
            value={sound.volume}
            disabled={!sound.isOn}
            aria-valuetext={`${sound.volume} %`}
            onChange={({ currentTarget }) => change({ volume: Number(currentTarget.value) })}
          />
        </label>
        <Button look="quiet" disabled={!sound.isOn} onClick={() => playRug(sound)}>
          Play
        </Button>
      </div>
    </Options>
  )
}
