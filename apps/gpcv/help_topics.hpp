/// Topics that `gpcv help` explains beside the commands: kernels, folds, transforms, tables and so on.
#pragma once

#include <string>
#include <vector>

namespace gpcv::command {

/// A topic of the help.
struct HelpTopic {
  std::string name;     ///< word that asks for it
  std::string summary;  ///< what it explains, in one line
  std::string text;     ///< explanation in lines that end with a line break
};

/// All topics, in the order in which they are listed.
std::vector<HelpTopic> help_topics();
/// The topics with their summaries, one line each.
std::string topic_list();

}  // namespace gpcv::command
