/// What a change is made on.
struct Ground {
    /// The bytes of the model; nil if they are not known.
    let base: [UInt8]?
    /// The entity tag with which the change is sent.
    let validator: String?
    /// The pending changes that its maker knows.
    let behind: [WaitingChange.Name]

    /// A model that is not the one that the service has now, or may not be.
    static func former(_ base: [UInt8]) -> Ground {
        Ground(base: base, validator: ValidatorChain.unseen, behind: [])
    }
}
