/// The model that a change is made on.
struct ChangeBase {
    /// The bytes of the model; nil if they are not known.
    let base: [UInt8]?
    /// The entity tag with which the change is sent.
    let validator: String?
    /// The pending changes that the maker of the change knows.
    let behind: [WaitingChange.Reference]

    /// Returns the base of a model that may differ from the service's present one.
    static func former(_ base: [UInt8]) -> ChangeBase {
        ChangeBase(base: base, validator: ValidatorChain.unseen, behind: [])
    }
}
