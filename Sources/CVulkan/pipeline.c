#include <string.h>

#include "cvk_internal.h"

static const uint32_t spirv[] = {
#include "bake_spirv.inc"
};

enum { MOST_CONSTANTS = 128, BINDINGS = 4 };

cvk_status cvk_make_pipeline(cvk_baker *baker) {
  const cvk_functions *vk = &baker->vk;
  VkDescriptorSetLayoutBinding bindings[BINDINGS];
  for (uint32_t i = 0; i < BINDINGS; i++)
    bindings[i] = (VkDescriptorSetLayoutBinding){
      .binding = i, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .descriptorCount = 1,
      .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT
    };
  const VkDescriptorSetLayoutCreateInfo set_layout = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = BINDINGS, .pBindings = bindings
  };
  CVK_TRY(vk, CreateDescriptorSetLayout, baker->device, &set_layout, NULL, &baker->set_layout);
  const VkPipelineLayoutCreateInfo layout = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &baker->set_layout
  };
  CVK_TRY(vk, CreatePipelineLayout, baker->device, &layout, NULL, &baker->pipeline_layout);

  if (baker->setup.constant_count > MOST_CONSTANTS)
    return (cvk_status){ VK_ERROR_TOO_MANY_OBJECTS, "vkCreateComputePipelines" };
  VkSpecializationMapEntry entries[MOST_CONSTANTS];
  for (uint32_t i = 0; i < baker->setup.constant_count; i++)
    entries[i] = (VkSpecializationMapEntry){ .constantID = i, .offset = 4 * i, .size = 4 };
  const VkSpecializationInfo constants = {
    .mapEntryCount = baker->setup.constant_count, .pMapEntries = entries,
    .dataSize = 4 * (size_t)baker->setup.constant_count, .pData = baker->setup.constants
  };
  const VkShaderModuleCreateInfo module = {
    .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sizeof spirv, .pCode = spirv
  };
  VkComputePipelineCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
    .stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
               .pName = "main", .pSpecializationInfo = &constants },
    .layout = baker->pipeline_layout
  };
  CVK_TRY(vk, CreateShaderModule, baker->device, &module, NULL, &info.stage.module);
  const VkResult made = vk->CreateComputePipelines(baker->device, VK_NULL_HANDLE, 1, &info, NULL, &baker->pipeline);
  vk->DestroyShaderModule(baker->device, info.stage.module, NULL);
  if (made != VK_SUCCESS) return (cvk_status){ made, "vkCreateComputePipelines" };

  const uint32_t sets = baker->setup.slots * (baker->setup.is_staged ? 1 : baker->setup.targets);
  const VkDescriptorPoolSize size = { .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .descriptorCount = BINDINGS * sets };
  const VkDescriptorPoolCreateInfo pool = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = sets, .poolSizeCount = 1, .pPoolSizes = &size
  };
  CVK_TRY(vk, CreateDescriptorPool, baker->device, &pool, NULL, &baker->descriptor_pool);
  return cvk_success;
}

cvk_status cvk_make_set(
    cvk_baker *baker, const cvk_buffer *source, const cvk_buffer *target, VkDescriptorSet *set) {
  const cvk_functions *vk = &baker->vk;
  const VkDescriptorSetAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = baker->descriptor_pool,
    .descriptorSetCount = 1, .pSetLayouts = &baker->set_layout
  };
  CVK_TRY(vk, AllocateDescriptorSets, baker->device, &info, set);
  // In the order of the shader's bindings.
  const VkBuffer buffers[BINDINGS] = { source->buffer, target->buffer, baker->table.buffer, baker->shaper.buffer };
  VkDescriptorBufferInfo ranges[BINDINGS];
  VkWriteDescriptorSet writes[BINDINGS];
  for (uint32_t i = 0; i < BINDINGS; i++) {
    ranges[i] = (VkDescriptorBufferInfo){ .buffer = buffers[i], .range = VK_WHOLE_SIZE };
    writes[i] = (VkWriteDescriptorSet){
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = *set, .dstBinding = i, .descriptorCount = 1,
      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &ranges[i]
    };
  }
  vk->UpdateDescriptorSets(baker->device, BINDINGS, writes, 0, NULL);
  return cvk_success;
}

// MARK: Commands, recorded once

cvk_status cvk_make_commands(cvk_baker *baker, VkCommandPool pool, VkCommandBuffer *commands) {
  const cvk_functions *vk = &baker->vk;
  const VkCommandBufferAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool,
    .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY, .commandBufferCount = 1
  };
  const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
  CVK_TRY(vk, AllocateCommandBuffers, baker->device, &info, commands);
  CVK_TRY(vk, BeginCommandBuffer, *commands, &begin);
  return cvk_success;
}

/// Lets the host read what the commands before this one wrote.
static void show_to_host(
    const cvk_functions *vk, VkCommandBuffer commands, VkPipelineStageFlags stage, VkAccessFlags written) {
  const VkMemoryBarrier barrier = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = written, .dstAccessMask = VK_ACCESS_HOST_READ_BIT
  };
  vk->CmdPipelineBarrier(commands, stage, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static cvk_status record_shader(cvk_baker *baker, VkDescriptorSet set, int host_reads, VkCommandBuffer *commands) {
  const cvk_functions *vk = &baker->vk;
  CVK_PASS(cvk_make_commands(baker, baker->compute_pool, commands));
  vk->CmdBindPipeline(*commands, VK_PIPELINE_BIND_POINT_COMPUTE, baker->pipeline);
  vk->CmdBindDescriptorSets(
      *commands, VK_PIPELINE_BIND_POINT_COMPUTE, baker->pipeline_layout, 0, 1, &set, 0, NULL);
  vk->CmdDispatch(*commands, baker->setup.groups_x, baker->setup.groups_y, 1);
  if (host_reads) show_to_host(vk, *commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
  CVK_TRY(vk, EndCommandBuffer, *commands);
  return cvk_success;
}

static cvk_status record_copy(
    cvk_baker *baker, VkCommandPool pool, const cvk_buffer *from, const cvk_buffer *to, int host_reads,
    VkCommandBuffer *commands) {
  const cvk_functions *vk = &baker->vk;
  CVK_PASS(cvk_make_commands(baker, pool, commands));
  const VkBufferCopy copy = { .size = from->size };
  vk->CmdCopyBuffer(*commands, from->buffer, to->buffer, 1, &copy);
  if (host_reads) show_to_host(vk, *commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
  CVK_TRY(vk, EndCommandBuffer, *commands);
  return cvk_success;
}

cvk_status cvk_record_slot(cvk_baker *baker, cvk_slot *slot) {
  VkDescriptorSet set;
  if (!baker->setup.is_staged) {
    for (uint32_t i = 0; i < baker->setup.targets; i++) {
      CVK_PASS(cvk_make_set(baker, &slot->source, &baker->targets[i], &set));
      CVK_PASS(record_shader(baker, set, 1, &slot->into[i]));
    }
    return cvk_success;
  }
  CVK_PASS(record_copy(baker, baker->transfer_pool, &slot->source, &slot->device_source, 0, &slot->upload));
  CVK_PASS(cvk_make_set(baker, &slot->device_source, &slot->device_target, &set));
  CVK_PASS(record_shader(baker, set, 0, &slot->compute));
  const VkCommandPool pool =
      baker->download_queue == baker->compute_queue ? baker->compute_pool : baker->transfer_pool;
  for (uint32_t i = 0; i < baker->setup.targets; i++)
    CVK_PASS(record_copy(baker, pool, &slot->device_target, &baker->targets[i], 1, &slot->into[i]));
  return cvk_success;
}

cvk_status cvk_make_table(cvk_baker *baker, const void *bytes, size_t count, cvk_buffer *buffer) {
  const cvk_functions *vk = &baker->vk;
  // A binding without memory is not allowed: what a bake does without is 16 bytes that nobody reads.
  const VkDeviceSize size = count > 16 ? count : 16;
  const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  if (!baker->setup.is_staged) {
    CVK_PASS(cvk_make_buffer(baker, size, usage, CVK_HOST_WRITES, buffer));
    if (count > 0) memcpy(buffer->mapped, bytes, count);
    return cvk_success;
  }
  CVK_PASS(cvk_make_buffer(baker, size, usage | VK_BUFFER_USAGE_TRANSFER_DST_BIT, CVK_DEVICE_ONLY, buffer));
  cvk_buffer staging = { 0 };
  VkCommandBuffer commands;
  cvk_status status =
      cvk_make_buffer(baker, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, CVK_HOST_WRITES, &staging);
  if (status.result == 0) {
    if (count > 0) memcpy(staging.mapped, bytes, count);
    status = record_copy(baker, baker->compute_pool, &staging, buffer, 0, &commands);
  }
  if (status.result == 0) {
    const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands
    };
    const VkResult sent = vk->QueueSubmit(baker->compute_queue, 1, &submit, VK_NULL_HANDLE);
    const VkResult result = sent == VK_SUCCESS ? vk->QueueWaitIdle(baker->compute_queue) : sent;
    if (result != VK_SUCCESS) status = (cvk_status){ result, "vkQueueSubmit" };
  }
  cvk_free_buffer(baker, &staging);
  return status;
}
