/** Events that a house bot may post about. */
export type Deed = 'launch' | 'bigBuy' | 'soldAll'

/** All texts that house bots post. Each is about what the bot has just done. */
export const LINES: Readonly<Record<Deed, readonly string[]>> = {
  launch: [
    'Fresh out of the oven, mind the edges.',
    'I folded this one myself, twice.',
    'New kite in the sky, string not included.',
    'The ribbon is cut and the scissors are still warm.',
    'First page written, no idea how it ends.',
    'Somebody had to plant it, so here I am with a spade.',
    'My grandmother would call this a hobby.',
    'Opened the shop, swept the step, put the kettle on.',
    'It floats! I was not sure that it would.',
    'Drawn on a napkin at lunch, launched before dessert.',
  ],
  bigBuy: [
    'That was a big spoon, and I am not sorry.',
    'I came for a crumb and left with the loaf.',
    'The piggy bank is on a diet now.',
    'Took the long ladder for this one.',
    'My basket is heavier than I planned.',
    'One for the pocket, ninety for the attic.',
    'I like the view, so I bought the hill.',
    'Half a wallet says this was a good idea.',
    'Could not decide which piece, took the tray.',
    'That splash over there was me.',
  ],
  soldAll: [
    'Packed my suitcase, left the key under the mat.',
    'Off the ride, a little dizzy, waving.',
    'My shelf is empty and dusted.',
    'It was a lovely picnic, the ants can have the rest.',
    'I am out, carry on without the trumpet.',
    'Last slice eaten, plate returned.',
    'Unplugged the lamp and went home.',
    'Closed my umbrella, whatever the weather does next.',
    'The boat is sold, the captain walks.',
    'No more of these in my pockets, I turned them out.',
  ],
}
