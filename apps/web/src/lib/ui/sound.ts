import { readSetting, saveSetting, useStored } from './stored.ts'

const SOUND_KEY = 'papermoon-sound'
const DEFAULT_VOLUME = 60

/** Whether sounds are on (default: off), and their volume. */
export interface SoundChoice {
  readonly isOn: boolean
  /** The volume from 1 to 100. */
  readonly volume: number
}

/** Returns the player's choice about sounds. If no valid choice is stored, sounds are off and the volume is 60 %. */
export function storedSound(): SoundChoice {
  return parseSound(readSetting(SOUND_KEY))
}

export function useSound(): SoundChoice {
  return parseSound(useStored(SOUND_KEY))
}

export function chooseSound({ isOn, volume }: SoundChoice): void {
  saveSetting(SOUND_KEY, `${isOn ? 'on' : 'off'} ${volume}`)
}

function parseSound(text: string | null): SoundChoice {
  const [state, volume] = (text ?? '').split(' ')
  const level = Number(volume)
  return { isOn: state === 'on', volume: level >= 1 && level <= 100 ? level : DEFAULT_VOLUME }
}

let context: AudioContext | undefined

type Part = (audio: AudioContext, output: AudioNode) => void

/** Plays sounds, if the player has turned them on. Browsers forbid sound before the first click or key press. */
function play(choice: SoundChoice, parts: readonly Part[]): void {
  if (!choice.isOn || !navigator.userActivation.hasBeenActive) return
  context ??= new AudioContext()
  void context.resume()
  const master = new GainNode(context, { gain: toGain(choice.volume) })
  master.connect(context.destination)
  for (const part of parts) part(context, master)
}

/** Plays the sound of a rug pull: tearing paper, then a drum. */
export function playRug(choice: SoundChoice = storedSound()): void {
  play(choice, [tear, thud])
}

export function playWhale(): void {
  play(storedSound(), [thud])
}

/** Plays the sound of a filled order: a short paper sound, and a vibration of 10 ms on a phone. */
export function playFill(): void {
  const choice = storedSound()
  play(choice, [tick])
  if (choice.isOn) navigator.vibrate?.(10)
}

/**
 * Converts a volume to a gain. People hear volumes logarithmically, so the gain is the square. As a result, half of the
 * slider sounds about half as loud.
 */
function toGain(volume: number): number {
  return (volume / 100) ** 2
}

/** Plays tearing paper: noise through a rising band-pass filter for 0.3 s. */
function tear(audio: AudioContext, output: AudioNode): void {
  rustle(audio, output, 0.3)
}

/** Plays a short paper sound: noise through the same filter for 0.05 s. */
function tick(audio: AudioContext, output: AudioNode): void {
  rustle(audio, output, 0.05)
}

function rustle(audio: AudioContext, output: AudioNode, seconds: number): void {
  const start = audio.currentTime
  const noise = new AudioBuffer({ length: Math.ceil(audio.sampleRate * seconds), sampleRate: audio.sampleRate })
  const samples = noise.getChannelData(0)
  for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1
  const source = new AudioBufferSourceNode(audio, { buffer: noise })
  const band = new BiquadFilterNode(audio, { type: 'bandpass', frequency: 900, Q: 0.8 })
  band.frequency.exponentialRampToValueAtTime(5200, start + seconds)
  source
    .connect(band)
    .connect(fade(audio, { peak: 0.5, start, seconds }))
    .connect(output)
  source.start(start)
}

/** Plays a drum: a sine wave that falls from 150 to 38 Hz in 0.55 s. */
function thud(audio: AudioContext, output: AudioNode): void {
  const start = audio.currentTime + 0.22
  const drum = new OscillatorNode(audio, { type: 'sine', frequency: 150 })
  drum.frequency.setValueAtTime(150, start)
  drum.frequency.exponentialRampToValueAtTime(38, start + 0.35)
  drum.connect(fade(audio, { peak: 0.9, start, seconds: 0.55 })).connect(output)
  drum.start(start)
  drum.stop(start + 0.6)
}

/** Raises the volume within 12 ms, so that there is no click, then lowers it to silence. All times are in seconds. */
function fade(audio: AudioContext, { peak, start, seconds }: Record<'peak' | 'start' | 'seconds', number>): GainNode {
  const gain = new GainNode(audio, { gain: 0 })
  gain.gain.setValueAtTime(0.0001, start)
  gain.gain.exponentialRampToValueAtTime(peak, start + 0.012)
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds)
  return gain
}
