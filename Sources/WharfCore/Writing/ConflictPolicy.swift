/// The side that wins where two clients have changed the same member of a model.
///
/// | the conflict                                 | `mine`                   | `theirs`                   |
/// |----------------------------------------------|--------------------------|----------------------------|
/// | an edit, and another edit of the same member | my value of that member  | their value of that member |
/// | an edit, and the model is gone               | the model is added again | the edit is given up       |
/// | a deletion, and an edit                      | the model is deleted     | the deletion is given up   |
/// | an addition, and a model with the same id    | a person decides         | the addition is given up   |
///
/// A change of which nothing is left counts as delivered, with what the service has.
///
/// The policy decides on what the service refuses because its model has changed: 409, 412, 410, or
/// 404 to an edit and to the read that follows. A 404 to a read alone is not enough, since some
/// services read no single models. If the service refuses a change although it still has the model
/// on which the change was made, the change is a conflict with each policy.
public enum ConflictPolicy: Hashable, Sendable {
    /// The change is a conflict, which a person settles. The default.
    case ask
    /// The change wins.
    case mine
    /// What the service has wins.
    case theirs
}
