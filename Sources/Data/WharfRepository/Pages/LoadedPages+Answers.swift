internal import WharfCore

extension LoadedPages {
    /// Takes in an answer, or drops it if a refresh has overtaken it.
    ///
    /// - Returns: the next request, if there is one.
    mutating func absorb(_ answer: Snapshot<Page<Model>>, for request: Request) -> Request? {
        guard open[request.kind] == request.serial else {
            // The refresh has closed this request, and its callers still wait. So the page behind
            // the new list is asked for.
            guard request.kind != .refresh, open[request.kind] == nil else { return nil }
            var again = start(request.kind)
            again?.isAgain = true
            return again
        }
        open[request.kind] = nil
        // A cancelled refresh leaves the list as it was, and is no error of it.
        if answer.error?.code == .cancelled {
            if request.kind == .refresh { breakOff() }
            return nil
        }
        switch request.kind {
        case .refresh: return refresh(answer, request.token)
        case .later: return append(answer, request.token)
        case .earlier:
            prepend(answer, request.token)
            return nil
        }
    }

    private mutating func append(_ answer: Snapshot<Page<Model>>, _ token: PageToken?) -> Request? {
        // The list may have changed while the page was read. A page that does not follow the last
        // one is dropped.
        guard let last = slots.last, last.kept.value.next == token else { return nil }
        pageError = answer.error
        guard let kept = answer.kept else { return nil }
        slots.append(Slot(token: token, kept: kept))
        let isIdle = !unique.append(kept.value.items)
        // A service that gives a token again would be asked in a circle.
        let isRepeated =
            kept.value.next.map { next in (dropped.map(\.token) + slots.map(\.token)).contains(next) } ?? false
        idlePages = isIdle ? idlePages + 1 : 0
        trim(sparingLast: true)
        if isRepeated || idlePages > Self.mostIdlePages { return end() }
        // A page without a new item shows nothing, so the next one is asked for at once, up to a
        // bound.
        guard isIdle, answer.error == nil, hasMore else { return nil }
        return request(.later, kept.value.next)
    }

    private mutating func prepend(_ answer: Snapshot<Page<Model>>, _ token: PageToken?) {
        // A refresh has replaced the list, and its pages before the first are others.
        guard let last = dropped.last, last.token == token else { return }
        pageError = answer.error
        guard let kept = answer.kept else { return }
        dropped.removeLast()
        slots.insert(Slot(token: token, kept: kept), at: 0)
        collect()
        trim(sparingLast: false)
    }

    private mutating func refresh(_ answer: Snapshot<Page<Model>>, _ token: PageToken?) -> Request? {
        refreshError = answer.error
        if let failure = answer.error {
            breakOff()
            if token == nil, failure.isAnswer {
                // An old list must not mask the answer.
                clear()
            } else if slots.isEmpty, let kept = answer.kept {
                show(kept)
            }
            return nil
        }
        guard let kept = answer.kept else {
            breakOff()
            return nil
        }
        if arriving.isEmpty { idlePages = 0 }
        arriving.append(Slot(token: token, kept: kept))
        let isIdle = !uniqueArriving.append(kept.value.items)
        idlePages = isIdle ? idlePages + 1 : 0
        let isRepeated = kept.value.next.map { next in arriving.contains { $0.token == next } } ?? false
        // The refresh reads as many pages as were loaded, so that the list does not get shorter.
        let isEnough = arriving.count >= slots.count && !uniqueArriving.items.isEmpty
        guard let next = kept.value.next, !isRepeated, !isEnough, idlePages <= Self.mostIdlePages else {
            let isEndless = isRepeated || idlePages > Self.mostIdlePages
            // Replaced in one step. Open requests for later pages belong to the old list, so they
            // are forgotten too.
            (slots, unique, dropped, open, self.isEndless) = (arriving, uniqueArriving, [], [:], false)
            (arriving, uniqueArriving, pageError) = ([], UniqueItems(), nil)
            trim(sparingLast: false)
            return isEndless ? end() : nil
        }
        return request(.refresh, next)
    }

    /// Breaks off the refresh. The pages that it has read are marked as replaced below.
    mutating func breakOff() {
        for index in slots.indices where arriving.contains(where: { $0.token == slots[index].token }) {
            slots[index].isReplaced = true
        }
        (arriving, uniqueArriving) = ([], UniqueItems())
    }

    /// Removes the list. Open requests belong to it, so their answers are dropped.
    private mutating func clear() {
        (slots, unique, dropped, isEndless, open, pageError) = ([], UniqueItems(), [], false, [:], nil)
    }

    private mutating func end() -> Request? {
        (isEndless, pageError) = (true, .endlessPages)
        return nil
    }

    /// Removes pages at the end away from the new page, until the cap is kept.
    ///
    /// One page always stays.
    private mutating func trim(sparingLast: Bool) {
        guard let cap else { return }
        let held = slots.count
        defer { if slots.count < held { collect() } }
        var count = slots.reduce(0) { $0 + $1.kept.value.items.count }
        while slots.count > 1, count > cap {
            let gone = sparingLast ? slots.removeFirst() : slots.removeLast()
            let goneItems = gone.kept.value.items.count
            count -= goneItems
            // Pages let go at the front can be loaded again by their tokens. At the end the last
            // token leads on.
            if sparingLast {
                dropped.append(DroppedPage(token: gone.token, count: goneItems))
            } else {
                isEndless = false
            }
        }
    }
}
