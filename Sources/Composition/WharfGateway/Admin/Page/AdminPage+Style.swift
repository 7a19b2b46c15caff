extension AdminPage {
    /// Each colour of text has a contrast of at least 4.5:1 on its ground, and each border of a
    /// control 3:1 (WCAG 2.2 AA).
    static let style = #"""
        :root {
          color-scheme: light dark;
          --ground: #f5f6f8; --card: #fff; --line: #dde2e8; --edge: #74808c;
          --text: #17202a; --muted: #52606d; --accent: #0b57d0; --on-accent: #fff;
          --good: #116736; --good-ground: #e3f3e9; --warn: #7d4400; --warn-ground: #fdf0dc;
          --bad: #a3211a; --bad-ground: #fdeae8;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #101418; --card: #191f25; --line: #2c353e; --edge: #7f8b97;
            --text: #e6eaef; --muted: #a6b2be; --accent: #8ab4f8; --on-accent: #0b1a33;
            --good: #86dca5; --good-ground: #15301f; --warn: #f3bd72; --warn-ground: #352712;
            --bad: #ff9d95; --bad-ground: #3a1a18;
          }
        }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        body {
          margin: 0 auto; padding: 1.5rem; max-width: 72rem; background: var(--ground); color: var(--text);
          font: 1rem/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums;
        }
        h1, h2, p, dl, dd, ul { margin: 0; padding: 0; }
        h1 { font-size: 1.375rem; font-weight: 650; }
        h2 { font-size: 1rem; font-weight: 650; }
        ul { list-style: none; }
        .hidden {
          position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
        }
        .muted { color: var(--muted); font-size: .875rem; }
        .title { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; }
        .title button { margin-inline-start: auto; }
        .route { margin-top: .25rem; overflow-wrap: anywhere; }
        .pill { padding: .125rem .75rem; border-radius: 1rem; font-size: .875rem; font-weight: 600;
          background: var(--line); color: var(--text); }
        .pill.good { background: var(--good-ground); color: var(--good); }
        .pill.warn { background: var(--warn-ground); color: var(--warn); }
        .pill.bad { background: var(--bad-ground); color: var(--bad); }
        .notice {
          margin-top: 1rem; padding: .75rem 1rem; border-radius: .5rem;
          background: var(--bad-ground); color: var(--bad);
        }
        .notice a { color: inherit; }
        button {
          min-height: 2.25rem; padding: .25rem .875rem; border: 1px solid var(--edge); border-radius: .5rem;
          background: var(--card); color: var(--text); font: inherit; font-size: .875rem; cursor: pointer;
        }
        button:hover { border-color: var(--accent); color: var(--accent); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
        .switches { display: flex; flex-wrap: wrap; gap: .75rem 2rem; margin-top: 1.25rem; }
        .switch { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; }
        [role=switch] {
          display: inline-flex; align-items: center; gap: .625rem; margin-inline-start: -.5rem; padding: .25rem .5rem;
          border-color: transparent; background: none; font-size: 1rem; font-weight: 600;
        }
        [role=switch]::before {
          content: ""; width: 2.5rem; height: 1.5rem; border: 1px solid var(--edge); border-radius: .75rem;
          background: radial-gradient(circle at .75rem 50%, var(--edge) .5rem, transparent .55rem) no-repeat;
        }
        [role=switch][aria-checked=true]::before {
          border-color: var(--accent);
          background: radial-gradient(circle at 1.75rem 50%, var(--on-accent) .5rem, var(--accent) .55rem);
        }
        section {
          padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card);
        }
        section.numbers { margin-top: 1.5rem; padding: 0; border: 0; background: none; }
        .numbers dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem; }
        .numbers dl > div {
          position: relative; padding: .75rem 1.25rem; border: 1px solid var(--line); border-radius: .75rem;
          background: var(--card); overflow: hidden;
        }
        .numbers .wide { grid-column: span 2; }
        dt { color: var(--muted); font-size: .875rem; }
        dd { font-size: 1.5rem; font-weight: 600; }
        #graph { position: absolute; inset: 20% 0 10% 50%; width: 50%; height: 70%; }
        #graph path { fill: none; stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke; }
        .columns, .columns > div {
          display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; align-items: start;
        }
        .columns { margin-top: 1rem; }
        li { padding: .625rem 0; border-top: 1px solid var(--line); }
        li:first-child { border-top: 0; }
        section > ul, section > ul + p { margin-top: .25rem; }
        .row { display: flex; align-items: baseline; justify-content: space-between; gap: .75rem; }
        .name { min-width: 0; overflow-wrap: anywhere; }
        .name b { font-weight: 600; }
        .value { flex: none; }
        .tag { display: inline-block; margin-inline-start: .375rem; padding: 0 .375rem; border: 1px solid var(--line);
          border-radius: .25rem; color: var(--muted); font-size: .75rem; white-space: nowrap; }
        .fresh { color: var(--good); font-weight: 600; }
        .stale { color: var(--warn); font-weight: 600; }
        meter { display: block; width: 100%; height: .75rem; margin: .375rem 0; }
        #more { width: 100%; margin-top: .75rem; }
        @media (min-width: 56rem) {
          .columns { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); }
        }
        @media (max-width: 30rem) {
          body { padding: 1rem; }
          section, .numbers dl > div { padding-inline: 1rem; }
        }
        """#
}
