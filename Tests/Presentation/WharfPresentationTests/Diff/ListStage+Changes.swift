import WharfPresentation

extension ListStage {
    /// Makes a stage and sets its changes, for comparisons in one expression.
    init(sections: [ListSection<ID, Element>], _ change: (inout Self) -> Void) {
        self.init(sections: sections)
        change(&self)
    }
}
