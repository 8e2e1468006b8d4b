export interface EmojiPreset {
  readonly emoji: string
  readonly words: string
}

const LINES = `
🪙 coin default money|🌙 moon crescent night|🌕 full moon|🌚 new moon face|🌝 full moon face|⭐ star|🌟 glowing star|✨ sparkles|☄️ comet|🪐 planet saturn
🚀 rocket launch|🛸 ufo flying saucer|👽 alien|🤖 robot|👾 space invader monster|🌍 earth world|🌞 sun face|🌈 rainbow|⚡ lightning zap|🔥 fire hot
💎 diamond gem|💰 money bag|💸 money wings|🤑 money face rich|📈 chart up|📉 chart down|🏦 bank|💳 card|👑 crown king|🏆 trophy winner
🥇 gold medal first|🎯 target bullseye|🎲 dice gamble|🎰 slot machine casino|🃏 joker card|🎪 circus tent fair|🎡 ferris wheel|🎢 roller coaster|🎠 carousel horse|🎟️ ticket
🎈 balloon|🎉 party|🎊 confetti|🎁 gift present|🎭 masks theatre|🎨 palette art|🎬 film movie|🎤 microphone|🎧 headphones|🎸 guitar
🐶 dog doge|🐕 dog shiba|🐱 cat|🐈 cat walking|🦊 fox|🐻 bear|🐼 panda|🐨 koala|🐯 tiger|🦁 lion
🐮 cow|🐂 ox bull|🐷 pig|🐸 frog pepe|🐵 monkey|🦍 gorilla ape|🐔 chicken|🐧 penguin|🐤 chick|🦆 duck
🦅 eagle|🦉 owl|🦇 bat|🐺 wolf|🐴 horse|🦄 unicorn|🐝 bee|🐛 bug|🦋 butterfly|🐌 snail slow
🐢 turtle slow|🐍 snake|🐙 octopus|🦑 squid|🦐 shrimp|🦀 crab|🐠 fish|🐬 dolphin|🐳 whale|🦈 shark
🐊 crocodile|🦖 dinosaur rex|🦕 dinosaur|🐘 elephant|🦒 giraffe|🦘 kangaroo|🐑 sheep|🐐 goat|🦥 sloth|🦦 otter
🦔 hedgehog|🐿️ squirrel|🐉 dragon|🌵 cactus|🌲 tree|🍀 clover luck|🍄 mushroom|🌹 rose|🌻 sunflower|🌸 blossom flower
🍎 apple|🍌 banana|🍉 watermelon|🍓 strawberry|🍒 cherries|🍑 peach|🥑 avocado|🌶️ chili pepper hot|🌽 corn|🥕 carrot
🍔 burger|🍟 fries|🍕 pizza|🌭 hot dog|🌮 taco|🍿 popcorn|🍩 donut|🍪 cookie|🍭 lollipop candy|🍦 ice cream
☕ coffee|🍺 beer|🍷 wine|🧃 juice|🧊 ice cold|⚽ football soccer|🏀 basketball|🎾 tennis|🥊 boxing glove|🎮 game controller
😀 grin smile|😂 joy tears laugh|😎 cool sunglasses|😍 love eyes|😭 crying|😡 angry|🤡 clown|💀 skull dead|👻 ghost|💩 poop
🧙 wizard magic|🧛 vampire|🧟 zombie|🥷 ninja|🦸 hero|👶 baby|👴 grandpa old|💃 dancer|🕺 dancing|🙏 pray thanks
❤️ heart love|💔 broken heart|💯 hundred|💥 boom|💣 bomb|🗿 moai stone face|🧸 teddy bear|🧻 toilet paper|🧶 yarn rug|🔮 crystal ball`

/** All preset emojis in the order in which they are displayed. The default is the first emoji. */
export const EMOJI_PRESETS: readonly EmojiPreset[] = LINES.trim()
  .split(/[\n|]/)
  .map((entry) => {
    const [emoji = '', ...words] = entry.split(' ')
    return { emoji, words: words.join(' ') }
  })

/** The emoji for a token whose creator chose none. */
export const DEFAULT_EMOJI = '🪙'

/** Returns the presets that match `search` by a word or by the emoji itself. */
export function findEmojis(search: string): readonly EmojiPreset[] {
  const wanted = search.trim().toLowerCase()
  return EMOJI_PRESETS.filter(({ emoji, words }) => words.includes(wanted) || emoji === wanted)
}
