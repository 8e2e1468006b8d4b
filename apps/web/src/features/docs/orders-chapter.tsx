export function OrdersChapter() {
  return (
    <>
      <p>
        You need not stare at the chart. Leave an order with us and go outside, where the real moon is. On a token’s
        page, choose <em>Limit</em> or <em>Stop</em> instead of <em>Market</em>.
      </p>
      <ul className="bullets">
        <li>
          <strong>A limit buy</strong> buys at your price or below.
        </li>
        <li>
          <strong>A limit sell</strong> sells at your price or above.
        </li>
        <li>
          <strong>A stop</strong> sells when the price falls to yours. It sells at most 10% below that price, and if the
          price falls further, the rest waits. Tick <em>Sell at any price</em> if you just want out.
        </li>
        <li>
          <strong>A bracket</strong> is a stop with a target. Whichever is reached first sells your tokens, and the
          other one finds nothing left to do.
        </li>
      </ul>
      <p>
        An order fills right after the trade that reaches its price, also in parts. While it waits, your SOL and tokens
        stay free. If two of your orders want the same SOL, the first to fill uses it. An order expires after the time
        that you choose, 30 days at most, and you can have 50 of them waiting.
      </p>
      <p>
        <strong>Did my order go through?</strong> Sometimes the connection breaks before we can answer. Then press the
        same button again without changing the amount. The same order never goes through twice. With another amount it
        is a new order, and both can go through.
      </p>
    </>
  )
}
