/// The entities of several pages, each once, at its first place.
struct UniqueItems<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    private(set) var items: [Model] = []
    private var seen: Set<Model.ID> = []

    /// Appends models.
    ///
    /// - Returns: whether any of them was not there.
    /// - Complexity: one look at each of the models, and none at earlier ones.
    @discardableResult
    mutating func append(_ models: [Model]) -> Bool {
        let before = items.count
        for model in models where seen.insert(model.id).inserted { items.append(model) }
        return items.count > before
    }
}
