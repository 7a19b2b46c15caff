/// The side that wins if two clients have changed the same member of a model.
///
/// | the conflict                                 | `mine`                   | `theirs`                   |
/// |----------------------------------------------|--------------------------|----------------------------|
/// | an edit, and another edit of the same member | my value of that member  | their value of that member |
/// | an edit, and the model is gone               | the model is added again | the edit is given up       |
/// | a deletion, and an edit                      | the model is deleted     | the deletion is given up   |
/// | an addition, and a model with the same id    | a person decides         | the addition is given up   |
///
/// If nothing of a change is left, it counts as delivered with the service's model.
///
/// The policy decides if the service refuses a change because its model has changed (409, 412). A
/// model counts as gone after 410, and after 404 both to the change and to the read that follows. A
/// 404 to the read alone is not enough, since some services do not offer single models. A service
/// may refuse a change although it still has the model on which the change was made. The change is
/// then a conflict with each policy.
public enum ConflictPolicy: Hashable, Sendable {
    /// The change is a conflict, and a person resolves it. The default.
    case ask
    /// The change wins.
    case mine
    /// The service's model wins.
    case theirs
}
