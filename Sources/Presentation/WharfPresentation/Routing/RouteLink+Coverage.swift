extension RouteLink {
    /// Returns whether all canonical links of the later link `other` reach this one.
    ///
    /// Two values count as the same if their `LinkValue.expected` is equal. A value covers a fixed
    /// text that it accepts.
    ///
    /// - Parameters:
    ///   - sites: the hosts of the table.
    ///   - rule: the rule of the table for unknown query items.
    func covers(_ other: RouteLink<R>, sites: [Link.Site], _ rule: UnknownQueries) -> Bool {
        shape.coversHosts(of: other.shape, sites) && shape.coversPath(of: other.shape)
            && shape.coversQuery(of: other.shape)
            && refused(other.shape.names, rule).isEmpty
            // The remaining items of the other link may have any name, even one that this link
            // refuses.
            && (!other.shape.takesRemainingQuery || shape.takesRemainingQuery
                || (unknownQueries ?? rule) == .ignored)
    }
}

extension LinkShape {
    fileprivate func coversHosts(of other: LinkShape, _ sites: [Link.Site]) -> Bool {
        if hosts.isEmpty { return other.hosts.allSatisfy(sites.contains) }
        return !other.hosts.isEmpty && other.hosts.allSatisfy(hosts.contains)
    }

    fileprivate func coversPath(of other: LinkShape) -> Bool {
        for (index, part) in parts.enumerated() {
            // `rest` takes any number of parts, so all that follow are covered.
            if case .rest = part { return true }
            guard index < other.parts.count, part.covers(other.parts[index]) else { return false }
        }
        return parts.count == other.parts.count
    }

    fileprivate func coversQuery(of other: LinkShape) -> Bool {
        items.allSatisfy { item in
            let same = other.items.first { $0.name == item.name }?.content
            switch (item.content, same) {
            // The canonical links of `other` never have this item, or do not always have it.
            case (.text, nil), (.required, nil), (.text, .optional), (.required, .optional): return false
            case (.optional, nil): return !other.takesRemainingQuery
            case (.text(let text), .text(let other)): return text == other
            case (.text, .required): return false
            case (.required(let kind), .text(let text)), (.optional(let kind), .text(let text)):
                return kind.accepts(text)
            case (.required(let kind), .required(let other)), (.optional(let kind), .required(let other)),
                (.optional(let kind), .optional(let other)):
                return kind.covers(other)
            }
        }
    }
}

extension LinkShape.Part {
    fileprivate func covers(_ other: Self) -> Bool {
        switch (self, other) {
        case (.text(let text), .text(let other)): text == other
        case (.value(let kind), .text(let text)): kind.accepts(text)
        case (.value(let kind), .value(let other)): kind.covers(other)
        case (.rest, _): true
        case (.text, .value), (_, .rest): false
        }
    }
}

extension LinkShape.Kind {
    fileprivate func covers(_ other: Self) -> Bool { acceptsAny || expected == other.expected }
}
