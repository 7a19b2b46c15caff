/// A cell that is provided with a model and renders itself: it is told, not asked.
///
/// ```swift
/// struct FilmLine: ListCell {
///     func render(_ film: Film) -> String { "\(film.year)  \(film.title)" }
/// }
///
/// final class FilmCell: UITableViewCell, @MainActor ListCell {
///     func render(_ film: Film) -> UITableViewCell {
///         textLabel?.text = film.title
///         return self
///     }
/// }
/// ```
public protocol ListCell<Model, Rendering> {
    associatedtype Model
    /// What the list is built of: a cell of the framework's, a view, a line of text.
    associatedtype Rendering

    /// Called again with another model where a cell is used again.
    func render(_ model: Model) -> Rendering
}
