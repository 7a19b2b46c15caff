extension AdminPage {
    static let script = #"""
        'use strict';
        const $ = id => document.getElementById(id);
        const element = (tag, className, ...content) => {
          const made = document.createElement(tag);
          if (className) made.className = className;
          made.append(...content);
          return made;
        };
        const write = (id, text) => { if ($(id).textContent !== text) $(id).textContent = text; };
        const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
        const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

        function bytes(count) {
          const units = ['B', 'KB', 'MB', 'GB', 'TB'];
          let unit = 0;
          while (count >= 1024 && unit < units.length - 1) { count /= 1024; unit += 1; }
          return `${number.format(count)} ${units[unit]}`;
        }

        function time(seconds) {
          if (seconds > 0 && seconds < 1) return `${Math.max(1, Math.round(seconds * 1000))} ms`;
          if (seconds < 10) return `${number.format(seconds)} s`;
          const units = [[365 * 86400, 'y'], [86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']];
          const first = units.findIndex(([length]) => seconds >= length);
          const parts = units.slice(first, first + 2).map(([length, name], index) => {
            const part = Math.floor(index ? seconds % units[first][0] / length : seconds / length);
            return [part, name];
          });
          return parts.filter(([part]) => part).map(([part, name]) => `${number.format(part)} ${name}`).join(' ');
        }

        // The words for the sources of answers, in the order of the list.
        const sources = {
          hit: ['Cache', 'without the origin'],
          revalidated: ['Cache, revalidated', 'the origin confirmed the kept answer'],
          fallback: ['Cache, after a failure', 'the origin did not answer'],
          collapsed: ['Shared', 'with an equal request in flight'],
          miss: ['Origin', 'nothing usable was kept'],
          bypass: ['Origin, not for a cache', 'such as POST'],
          uncached: ['Origin', 'the gateway has no cache'],
          failed: ['Failed', 'neither the origin nor the cache answered'],
          refused: ['Refused', 'the gateway did not pass the request on'],
        };

        // MARK: The state, each second

        let state = null;
        const samples = [];
        let isPolling = false;
        let timer = 0;

        async function poll() {
          if (isPolling) return;
          isPolling = true;
          clearTimeout(timer);
          try {
            const answer = await fetch('/state.json', { cache: 'no-store' });
            if (!answer.ok) throw new Error((await answer.text()).trim());
            state = await answer.json();
            sample();
            show();
            notice('connection', '');
            await refreshEntries();
          } catch (error) {
            lose();
          }
          isPolling = false;
          if (!document.hidden) timer = setTimeout(poll, 1000);
        }

        document.addEventListener('visibilitychange', () => {
          if (document.hidden) clearTimeout(timer); else poll();
        });

        function lose() {
          setStatus('No connection', 'bad');
          notice('connection', 'The gateway does not answer. The numbers below are the last known ones.');
        }

        // A success takes back the failure of the same operation, and no other.
        let failed;
        function notice(operation, text) {
          if (text ? $('notice').textContent === text : failed !== operation) return;
          failed = text ? operation : undefined;
          $('notice').textContent = text;
          $('notice').hidden = !text;
        }

        function setStatus(text, kind) {
          write('status', text);
          $('status').className = `pill ${kind}`;
          document.title = `${text} – ${state ? state.origin.replace(/^https?:\/\//, '') : 'Wharf gateway'}`;
        }

        function sample() {
          const total = Object.values(state.answers).reduce((sum, count) => sum + count, 0);
          const last = samples.at(-1);
          // After a restart the counts begin at 0.
          if (last && (total < last.total || state.uptime < last.uptime)) samples.length = 0;
          samples.push({ total, uptime: state.uptime });
          if (samples.length > 61) samples.shift();
        }

        const rate = (from, to) => to.uptime > from.uptime ? (to.total - from.total) / (to.uptime - from.uptime) : 0;

        function show() {
          if (state.isDraining) setStatus('Ending', 'bad');
          else if (state.isOffline) setStatus('Offline', 'warn');
          else if (state.injectsFaults) setStatus('Online, with faults', 'warn');
          else setStatus('Online', 'good');
          write('url', state.url);
          write('origin', state.origin);
          write('uptime', `running for ${time(state.uptime)}`);
          setSwitch('offline', state.isOffline);
          $('faults-row').hidden = state.injectsFaults === undefined;
          setSwitch('faults', state.injectsFaults === true);

          const total = samples.at(-1).total;
          // Over the last five seconds.
          const from = samples.at(-6) ?? samples[0];
          write('rate', samples.length > 1 ? number.format(rate(from, samples.at(-1))) : '–');
          graph();
          const { hit, revalidated, fallback } = state.answers;
          write('share', total ? percent.format((hit + revalidated + fallback) / total) : '–');
          write('live-count', number.format(state.liveCount));
          write('connections', number.format(state.connections));
          write('sent', bytes(state.sentBytes));
          list('live', state.live, liveItem);
          list('answers', Object.keys(sources).filter(name => state.answers[name]), answerItem);
          showStore();
        }

        function graph() {
          const rates = samples.slice(1).map((sample, index) => rate(samples[index], sample));
          const top = Math.max(1, ...rates);
          const left = 60 - rates.length;
          const points = rates.map((value, index) => `${left + index},${(19 - 18 * value / top).toFixed(1)}`);
          $('graph').firstElementChild.setAttribute('d', points.length > 1 ? `M${points.join('L')}` : '');
        }

        // Writes a list again only if it has changed, so that a screen reader keeps its place.
        const shown = {};
        function list(id, items, make) {
          const text = JSON.stringify([items, id === 'answers' && state.answers]);
          $(`${id}-empty`).hidden = items.length > 0;
          if (shown[id] === text) return;
          shown[id] = text;
          $(id).replaceChildren(...items.map(make));
        }

        function liveItem(request) {
          const source = request.cache ? `${sources[request.cache][0]}, ${request.status}` : 'no answer yet';
          return element('li', '',
            element('div', 'row',
              element('span', 'name', element('b', '', request.method), ` ${request.path}`),
              element('span', 'value', time(request.age))),
            element('p', 'muted', `${source}; ${bytes(request.sentBytes)} sent`));
        }

        function answerItem(name) {
          const [title, detail] = sources[name];
          return element('li', 'row',
            element('span', 'name', title, ' ', element('span', 'muted', detail)),
            element('span', 'value', number.format(state.answers[name])));
        }

        // MARK: The kept answers

        function showStore() {
          const { store, storeError } = state;
          $('kept').hidden = !store && !storeError;
          $('fill').hidden = !store?.byteLimit;
          if (storeError) write('store', `The store failed: ${storeError}`);
          if (!store) return;
          const limit = store.byteLimit ? ` of ${bytes(store.byteLimit)}` : '';
          const answers = store.entries === 1 ? '1 answer' : `${number.format(store.entries)} answers`;
          write('store', `${answers}, ${bytes(store.bytes)}${limit}`);
          if (store.byteLimit) $('fill').value = store.bytes / store.byteLimit;
        }

        let entries = [];
        let next;
        let loadedAt = -Infinity;
        let loads = 0;

        // The origin is at the top of the page. A store may have answers of others too.
        function shortURL(entry) {
          return entry.url.startsWith(`${state.origin}/`) ? entry.url.slice(state.origin.length) : entry.url;
        }

        // Whether the reader is in the list or has asked for more of it.
        const isListInUse = () => entries.length > 50 || $('entries').contains(document.activeElement);

        // Each five seconds.
        async function refreshEntries() {
          if (!state.store || isListInUse() || performance.now() - loadedAt < 5000) return;
          await loadEntries(undefined, isListInUse);
        }

        async function loadEntries(after, isUnwanted = () => false) {
          loadedAt = performance.now();
          const load = ++loads;
          const query = after === undefined ? '' : `?after=${after}`;
          const answer = await fetch(`/entries.json${query}`, { cache: 'no-store' });
          if (!answer.ok) return notice('list', (await answer.text()).trim());
          notice('list', '');
          const page = await answer.json();
          // A page that belongs to an earlier list would repeat entries. A refresh would drop the
          // focus if that has come into the list since.
          if (load !== loads || isUnwanted()) return;
          entries = after === undefined ? page.entries : entries.concat(page.entries);
          next = page.next;
          showEntries();
        }

        function showEntries() {
          $('more').hidden = next === undefined;
          list('entries', entries, entryItem);
        }

        function entryItem(entry) {
          const name = element('span', 'name', element('b', '', entry.method), ` ${shortURL(entry)}`);
          if (entry.hasQuery) name.append(element('span', 'tag', 'with a query'));
          if (entry.isPrivate) name.append(element('span', 'tag', 'of one user'));
          const freshness = entry.isFresh
            ? element('span', 'fresh', `fresh for ${time(entry.freshFor)}`)
            : element('span', 'stale', `stale for ${time(Math.abs(entry.freshFor))}`);
          const remove = element('button', 'value', 'Remove');
          remove.setAttribute('aria-label', `Remove ${entry.method} ${shortURL(entry)}`);
          remove.addEventListener('click', () => removeEntry(entry));
          return element('li', '',
            element('div', 'row', name, remove),
            element('p', 'muted', freshness, `; ${entry.reason}`),
            element('p', 'muted', `status ${entry.status}, ${bytes(entry.bytes)}, ${time(entry.age)} old`));
        }

        async function removeEntry(entry) {
          const warning = 'The gateway is offline, so this answer can\'t be loaded again. Remove it?';
          if (state.isOffline && !confirm(warning)) return;
          const index = entries.indexOf(entry);
          if (!await post(`/entries/remove?id=${entry.id}`)) return;
          // The list may have been loaded again meanwhile, with other objects.
          entries = entries.filter(other => other.id !== entry.id);
          showEntries();
          // The pressed button is gone, and the focus would return to the top of the page.
          const buttons = $('entries').querySelectorAll('button');
          (buttons[Math.min(index, buttons.length - 1)] ?? $('kept-title')).focus();
        }

        $('reload').addEventListener('click', () => loadEntries().catch(lose));
        $('more').addEventListener('click', () => loadEntries(next).catch(lose));

        // MARK: The switches

        function setSwitch(id, isOn) { $(id).setAttribute('aria-checked', String(isOn)); }

        async function post(path) {
          try {
            const answer = await fetch(path, { method: 'POST' });
            notice('switch', answer.ok ? '' : (await answer.text()).trim());
            return answer.ok;
          } catch (error) {
            lose();
            return false;
          }
        }

        $('offline').addEventListener('click', async () => {
          if (state && await post(state.isOffline ? '/online' : '/offline')) poll();
        });
        $('faults').addEventListener('click', async () => {
          if (state && await post(state.injectsFaults ? '/faults/off' : '/faults/on')) poll();
        });

        poll();
        """#
}
