/// The web page of the gateway, as one document without external resources.
///
/// It shows `/state.json` and `/entries.json`, and is empty until its script has loaded them.
enum AdminPage {
    /// - Parameter nonce: lets the style and the script run, by the `Content-Security-Policy`.
    static func html(nonce: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Wharf gateway</title>
        <style nonce="\(nonce)">
        \(style)
        </style>
        </head>
        <body>
        \(body)
        <script nonce="\(nonce)">
        \(script)
        </script>
        </body>
        </html>

        """
    }

    private static let body = #"""
        <header>
          <div class="title">
            <h1>Wharf gateway</h1>
            <p id="status" class="pill" role="status">Loading</p>
          </div>
          <p class="route">
            <span id="url"></span> <span aria-hidden="true">→</span><span class="hidden">in front of</span>
            <strong id="origin"></strong> <span id="uptime" class="muted"></span></p>
          <p id="notice" class="notice" role="alert" hidden></p>
          <noscript>
            <p class="notice">This page needs JavaScript. Metrics are at <a href="/metrics">/metrics</a>.</p>
          </noscript>
          <div class="switches">
            <div class="switch">
              <button id="offline" role="switch" aria-checked="false" aria-describedby="offline-help">Offline</button>
              <p id="offline-help" class="muted">The cache alone answers. The origin gets no request.</p>
            </div>
            <div class="switch" id="faults-row" hidden>
              <button id="faults" role="switch" aria-checked="false" aria-describedby="faults-help">Faults</button>
              <p id="faults-help" class="muted">Requests to the origin meet the faults of the plan.</p>
            </div>
          </div>
        </header>
        <main>
          <section class="numbers" aria-labelledby="numbers-title">
            <h2 id="numbers-title" class="hidden">Numbers</h2>
            <dl>
              <div class="wide"><dt>Requests per second</dt><dd id="rate">–</dd>
                <svg id="graph" viewBox="0 0 59 20" preserveAspectRatio="none" aria-hidden="true"><path/></svg></div>
              <div><dt>From the cache</dt><dd id="share">–</dd></div>
              <div><dt>Live requests</dt><dd id="live-count">–</dd></div>
              <div><dt>Connections</dt><dd id="connections">–</dd></div>
              <div><dt>Sent</dt><dd id="sent">–</dd></div>
            </dl>
          </section>
          <div class="columns">
            <div>
              <section aria-labelledby="live-title">
                <h2 id="live-title">Live requests</h2>
                <ul id="live" role="list"></ul>
                <p id="live-empty" class="muted">No request is in flight.</p>
              </section>
              <section aria-labelledby="answers-title">
                <h2 id="answers-title">Answers</h2>
                <ul id="answers" role="list"></ul>
                <p id="answers-empty" class="muted">No request has been answered yet.</p>
              </section>
            </div>
            <section id="kept" aria-labelledby="kept-title" hidden>
              <div class="title">
                <h2 id="kept-title" tabindex="-1">Kept answers</h2>
                <button id="reload">Reload the list</button>
              </div>
              <p id="store" class="muted"></p>
              <meter id="fill" min="0" max="1" aria-label="Used part of the limit" hidden></meter>
              <p class="muted">
                The most recently used are first. When the limit is reached, the least recently used go.
              </p>
              <ul id="entries" role="list"></ul>
              <p id="entries-empty" class="muted">Nothing is kept.</p>
              <button id="more" hidden>Show more</button>
            </section>
          </div>
        </main>
        """#
}
