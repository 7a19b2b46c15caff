/// A container of the standard library, whose elements are read without a mirror.
protocol ReflectedContainer {
    /// Returns the elements, each with its step in a path. Elements that can't hold a reference are
    /// omitted.
    func reflectedElements(limit: Int) -> [(step: String, value: Any)]
}

extension Optional: ReflectedContainer {
    func reflectedElements(limit: Int) -> [(step: String, value: Any)] { map { [("", $0)] } ?? [] }
}

extension Array: ReflectedContainer {
    func reflectedElements(limit: Int) -> [(step: String, value: Any)] { indexed(self, limit) }
}

extension ContiguousArray: ReflectedContainer {
    func reflectedElements(limit: Int) -> [(step: String, value: Any)] { indexed(self, limit) }
}

extension ArraySlice: ReflectedContainer {
    func reflectedElements(limit: Int) -> [(step: String, value: Any)] { indexed(self, limit) }
}

// The path has no index, as an element's description would run user code.
extension Set: ReflectedContainer {
    func reflectedElements(limit: Int) -> [(step: String, value: Any)] {
        _isPOD(Element.self) ? [] : prefix(Swift.max(0, limit)).map { ("[…]", $0) }
    }
}

extension Dictionary: ReflectedContainer {
    func reflectedElements(limit: Int) -> [(step: String, value: Any)] {
        prefix(Swift.max(0, limit)).flatMap { [("[…]", $0.value as Any), (".keys[…]", $0.key as Any)] }
    }
}

private func indexed<Elements: RandomAccessCollection<Element>, Element>(
    _ elements: Elements, _ limit: Int
) -> [(step: String, value: Any)] where Elements.Index == Int {
    guard !_isPOD(Element.self) else { return [] }
    return elements.indices.prefix(max(0, limit)).map { ("[\($0)]", elements[$0]) }
}
